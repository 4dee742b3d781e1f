package portfolio

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	portfolio, portfolioEditor, gallery := PortfolioOps{deps}, portfolioEditorOps{PortfolioOps{deps}}, galleryOps{PortfolioOps{deps}}
	return []web.Operation{
		portfolio.listPortfolio(),
		portfolio.getProject(),
		portfolio.getPhoto(),
		portfolio.getKit(),
		portfolioEditor.editPortfolio(),
		portfolioEditor.createProject(),
		portfolioEditor.editProject(),
		portfolioEditor.updateProject(),
		portfolioEditor.updateProjectPhoto(),
		portfolioEditor.updateProjectPhotos(),
		portfolioEditor.uploadProjectPhotos(),
		portfolioEditor.editGallery(),
		portfolioEditor.saveGallery(),
		portfolioEditor.deleteGallery(),
		gallery.showGallery(),
		gallery.enterGallery(),
		gallery.showGalleryPhoto(),
		gallery.markGalleryPhoto(),
		gallery.chooseFavourites(),
	}
}
