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
	gear, price, portfolio, pages := gearOps{s.gearDeps()}, priceOps{s.priceDeps()}, portfolioOps{s.portfolioDeps()}, pageOps{s.textDeps()}
	return slices.Concat([]web.Operation{
		searchOps{s.searchDeps()}.searchListings(),
		searchOps{s.searchDeps()}.suggestSearches(),
		listingOps{s.listingDeps()}.getListings(),
		listingOps{s.listingDeps()}.getListing(),
		changeOps{s.watchDeps()}.listChanges(),
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
		sellerOps{s.accountDeps()}.getSeller(),
		portfolio.listPortfolio(),
		portfolio.getProject(),
		portfolio.getPhoto(),
		portfolio.getKit(),
		homeOps{s.homeDeps()}.getHome(),
		pages.listGuides(),
		pages.getGuide(),
		pages.listJournal(),
		pages.getJournalEntry(),
		pages.getAbout(),
		pages.showOffline(),
	}, contactOps{s.adminDeps()}.formOperations(), pages.textPages(), []web.Operation{
		documents{s.documentDeps()}.readReference(),
		documents{s.documentDeps()}.getOperation(),
		pages.listErrors(),
		pages.getError(),
		s.health.operation(),
	})
}

// accountOperations returns the operations on accounts and tokens.
func (s *app) accountOperations() []web.Operation {
	account, tokens, connections, kit := accountOps{s.accountDeps()}, tokenOps{s.accountDeps()}, connectionOps{s.oauthDeps()}, myKitOps{s.priceDeps()}
	return slices.Concat([]web.Operation{account.getMe(), dashboardOps{s.accountDeps()}.showAccount(), savedSearchOps{s.watchDeps()}.showAdvanced(), savedSearchOps{s.watchDeps()}.showSearchWebhook(), savedSearchOps{s.watchDeps()}.setSearchWebhook()},
		account.setupOperations(), account.signUpOperations(), account.signInOperations(), account.settingsOperations(), account.passkeyOperations(),
		[]web.Operation{tokens.listTokens(), tokens.getToken(), tokens.createToken(), tokens.revokeToken(),
			connections.listConnections(), connections.endConnection(),
			kit.listKit(), kit.newKitItem(), kit.addToKit(), kit.exportKit(), kit.getKitItem(), kit.editKitItem(), kit.removeFromKit()})
}

// sellingOperations returns the operations of sellers.
func (s *app) sellingOperations() []web.Operation {
	photos, sell, edit, form, step, mine := photoOps{s.listingDeps()}, sellOps{s.listingDeps()}, listingEditOps{s.listingDeps()}, listingFormOps{s.listingDeps()}, listingStepOps{s.listingDeps()}, myListingOps{s.listingDeps()}
	possession := possessionOps{s.listingDeps()}
	return []web.Operation{
		photos.listPhotos(),
		photos.addPhotos(),
		photos.arrangePhotos(),
		photos.removePhoto(),
		possession.getPossession(),
		possession.startPossession(),
		possession.sendPossession(),
		gearOps{s.gearDeps()}.identifyGear(),
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
	offer, conversation, block, report, moderation, sale := offerOps{s.tradeDeps()}, conversationOps{s.tradeDeps()}, blockOps{s.accountDeps()}, reportOps{s.adminDeps()}, moderationOps{s.adminDeps()}, saleOps{s.adminDeps()}
	editor := portfolioEditorOps{portfolioOps{s.portfolioDeps()}}
	handover, stolen, check := handoverOps{offer}, stolenOps{s.adminDeps()}, checkOps{moderationOps{s.adminDeps()}}
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
		contactOps{s.adminDeps()}.sendMessage(),
		watcherOps{s.watchDeps()}.getWatchers(),
		watcherOps{s.watchDeps()}.messageWatchers(),
		block.listBlocks(),
		block.blockMember(),
		block.unblockMember(),
		ratingOps{s.tradeDeps()}.rateTrade(),
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
	watch, search := watchlistOps{s.watchDeps()}, savedSearchOps{s.watchDeps()}
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
	site, admin, text := siteOps{s.adminDeps()}, adminOps{s.adminDeps()}, textOps{s.textDeps()}
	catalog, imports := adminCatalogOps{s.adminDeps()}, importOps{s.adminDeps()}
	contact, mail, backup := contactOps{s.adminDeps()}, mailOps{s.adminDeps()}, backupOps{s.adminDeps()}
	return []web.Operation{
		admin.getDashboard(),
		admin.listMembers(),
		admin.setRole(),
		admin.sendPasswordReset(),
		admin.listJobs(),
		admin.runJob(),
		site.getChecklist(),
		site.getSite(),
		homeOps{s.homeDeps()}.previewSite(),
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
