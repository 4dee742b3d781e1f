package price

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	price, myKit := priceOps{deps}, myKitOps{deps}
	return []web.Operation{
		price.getPrice(),
		price.showPrices(),
		price.getPriceAccuracy(),
		price.getPriceChart(),
		price.explainEstimate(),
		price.valueGear(),
		price.showValuation(),
		price.compareGear(),
		price.showComparison(),
		myKit.listKit(),
		myKit.newKitItem(),
		myKit.addToKit(),
		myKit.exportKit(),
		myKit.getKitItem(),
		myKit.editKitItem(),
		myKit.removeFromKit(),
	}
}
