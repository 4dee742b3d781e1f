package listing

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	listing, photo, possession, listingEdit, listingForm, listingStep, myListing := listingOps{deps}, photoOps{deps}, possessionOps{deps}, listingEditOps{deps}, listingFormOps{deps}, listingStepOps{deps}, myListingOps{deps}
	return []web.Operation{
		listing.getListings(),
		listing.getListing(),
		photo.listPhotos(),
		photo.addPhotos(),
		photo.arrangePhotos(),
		photo.removePhoto(),
		possession.getPossession(),
		possession.startPossession(),
		possession.sendPossession(),
		sellOps{deps}.startListing(),
		listingEdit.createListing(),
		listingEdit.prepareListing(),
		listingEdit.editListing(),
		listingForm.saveListing(),
		listingForm.publishDraft(),
		listingStep.publishListing(),
		listingStep.reserveListing(),
		listingStep.markSold(),
		listingStep.endListing(),
		listingStep.relistListing(),
		myListing.discardDraft(),
		myListing.listMyListings(),
		myListing.importListings(),
	}
}
