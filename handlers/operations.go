package handlers

import (
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
)

// operations returns every operation of the site, in the order of the API reference.
// A path without parameters comes before the patterns that match it.
func (s *app) operations() []web.Operation {
	return slices.Concat(s.publicOperations(), s.accountOperations(), s.sellingOperations(), s.tradeOperations(), s.watchOperations(), s.adminOperations())
}

// publicOperations returns the operations that need no account.
func (s *app) publicOperations() []web.Operation {
	gear, price, portfolio, pages := gearOps{s}, priceOps{s}, portfolioOps{s}, pageOps{s}
	return slices.Concat([]web.Operation{
		searchOps{s}.searchListings(),
		searchOps{s}.suggestSearches(),
		listingOps{s}.getListings(),
		listingOps{s}.getListing(),
		changeOps{s}.listChanges(),
		gear.findGear(),
		gear.getBrand(),
		gear.getTrend(),
		price.getPrice(),
		price.showPrices(),
		price.getPriceAccuracy(),
		price.getPriceChart(),
		price.explainEstimate(),
		price.valueGear(),
		price.showValuation(),
		price.compareGear(),
		price.showComparison(),
		sellerOps{s}.getSeller(),
		portfolio.listPortfolio(),
		portfolio.getProject(),
		portfolio.getPhoto(),
		portfolio.getKit(),
		homeOps{s}.getHome(),
		pages.listGuides(),
		pages.getGuide(),
		pages.listJournal(),
		pages.getJournalEntry(),
		pages.getAbout(),
		pages.showOffline(),
	}, contactOps{s}.formOperations(), pages.textPages(), []web.Operation{
		documents{s}.readReference(),
		documents{s}.getOperation(),
		pages.listErrors(),
		pages.getError(),
		s.health.operation(),
	})
}

// accountOperations returns the operations on accounts and tokens.
func (s *app) accountOperations() []web.Operation {
	account, tokens, connections, kit := accountOps{s}, tokenOps{s}, connectionOps{s}, myKitOps{s}
	return slices.Concat([]web.Operation{account.getMe(), dashboardOps{s}.showAccount(), savedSearchOps{s}.showAdvanced(), savedSearchOps{s}.showSearchWebhook(), savedSearchOps{s}.setSearchWebhook()},
		account.setupOperations(), account.signUpOperations(), account.signInOperations(), account.settingsOperations(), account.passkeyOperations(),
		[]web.Operation{tokens.listTokens(), tokens.getToken(), tokens.createToken(), tokens.revokeToken(),
			connections.listConnections(), connections.endConnection(),
			kit.listKit(), kit.newKitItem(), kit.addToKit(), kit.exportKit(), kit.getKitItem(), kit.editKitItem(), kit.removeFromKit()})
}

// sellingOperations returns the operations of sellers.
func (s *app) sellingOperations() []web.Operation {
	photos, sell, edit, form, step, mine := photoOps{s}, sellOps{s}, listingEditOps{s}, listingFormOps{s}, listingStepOps{s}, myListingOps{s}
	possession := possessionOps{s}
	return []web.Operation{
		photos.listPhotos(),
		photos.addPhotos(),
		photos.arrangePhotos(),
		photos.removePhoto(),
		possession.getPossession(),
		possession.startPossession(),
		possession.sendPossession(),
		gearOps{s}.identifyGear(),
		sell.startListing(),
		edit.createListing(),
		edit.prepareListing(),
		edit.editListing(),
		form.saveListing(),
		form.publishDraft(),
		step.publishListing(),
		step.reserveListing(),
		step.markSold(),
		step.endListing(),
		step.relistListing(),
		mine.discardDraft(),
		mine.listMyListings(),
		mine.importListings(),
	}
}

// tradeOperations returns the operations on offers, messages, ratings, reports and moderation.
func (s *app) tradeOperations() []web.Operation {
	offer, conversation, block, report, moderation, sale := offerOps{s}, conversationOps{s}, blockOps{s}, reportOps{s}, moderationOps{s}, saleOps{s}
	editor := portfolioEditorOps{portfolioOps{s}}
	handover, stolen, check := handoverOps{offer}, stolenOps{s}, checkOps{moderationOps{s}}
	return []web.Operation{
		offer.makeOffer(),
		offer.listOffers(),
		offer.getOffer(),
		offer.acceptOffer(),
		offer.counterOffer(),
		offer.declineOffer(),
		offer.withdrawOffer(),
		handover.proposeHandover(),
		handover.agreeHandover(),
		handover.setPayment(),
		offer.completeOffer(),
		handover.setTracking(),
		handover.receiveItem(),
		offer.confirmOffer(),
		offer.disputeOffer(),
		handover.addEvidence(),
		conversation.writeMessage(),
		conversation.listConversations(),
		conversation.getConversation(),
		conversation.markConversationRead(),
		conversation.replyMessage(),
		conversation.messageTrader(),
		contactOps{s}.sendMessage(),
		watcherOps{s}.getWatchers(),
		watcherOps{s}.messageWatchers(),
		block.listBlocks(),
		block.blockMember(),
		block.unblockMember(),
		ratingOps{s}.rateTrade(),
		report.reportListing(),
		stolen.listStolenReports(),
		stolen.reportStolen(),
		report.listReports(),
		report.closeReport(),
		report.moderateReports(),
		moderation.hideListing(),
		moderation.restoreListing(),
		moderation.suspendMember(),
		moderation.reinstateMember(),
		moderation.listAudit(),
		moderation.getHeldWords(),
		moderation.editHeldWords(),
		sale.listSales(),
		sale.approveSale(),
		sale.voidSale(),
		editor.editPortfolio(),
		editor.createProject(),
		editor.editProject(),
		editor.updateProject(),
		editor.updateProjectPhoto(),
		editor.uploadProjectPhotos(),
		check.listChecks(),
		check.reviewPossession(),
		check.reviewHold(),
		check.reviewStolenReport(),
		check.closePhotoNotes(),
	}
}

// watchOperations returns the operations on the watchlist and saved searches.
func (s *app) watchOperations() []web.Operation {
	watch, search := watchlistOps{s}, savedSearchOps{s}
	return []web.Operation{
		watch.getWatchlist(),
		watch.watchListing(),
		watch.unwatchListing(),
		search.listSearches(),
		search.newSearch(),
		search.saveSearch(),
		search.getSearch(),
		search.editSearch(),
		search.deleteSearch(),
		search.rotateSearch(),
		search.testSearch(),
	}
}

// adminOperations returns the operations of those who run the site.
func (s *app) adminOperations() []web.Operation {
	site, admin, text := siteOps{s}, adminOps{s}, textOps{s}
	catalog, imports := adminCatalogOps{s}, importOps{s}
	contact, mail, backup := contactOps{s}, mailOps{s}, backupOps{s}
	return []web.Operation{
		admin.getDashboard(),
		admin.listMembers(),
		admin.setRole(),
		admin.sendPasswordReset(),
		admin.listJobs(),
		admin.runJob(),
		site.getChecklist(),
		site.getSite(),
		homeOps{s}.previewSite(),
		site.editSite(),
		site.setSitePicture(),
		text.listTexts(),
		text.createText(),
		text.getText(),
		text.editText(),
		text.resetText(),
		text.previewText(),
		text.addPicture(),
		catalog.searchCatalog(),
		catalog.exportCatalog(),
		catalog.newGear(),
		catalog.addGear(),
		catalog.getGear(),
		catalog.correctGear(),
		catalog.removeCorrection(),
		imports.listImports(),
		imports.startImport(),
		imports.getImport(),
		imports.cancelImport(),
		contact.listMessages(),
		contact.editMessage(),
		contact.deleteMessage(),
		mail.getMail(),
		mail.sendTestEmail(),
		mail.resendEmail(),
		backup.listBackups(),
		backup.makeBackup(),
		backup.deleteBackup(),
	}
}
