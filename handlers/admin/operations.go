package admin

import (
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	contact, report, stolen, moderation, sale, check, admin, site, adminCatalog, imports, mail, backup := contactOps{deps}, reportOps{deps}, stolenOps{deps}, moderationOps{deps}, saleOps{deps}, checkOps{moderationOps{deps}}, adminOps{deps}, siteOps{deps}, adminCatalogOps{deps}, ImportOps{deps}, mailOps{deps}, backupOps{deps}
	return slices.Concat([]web.Operation{
		contact.sendMessage(),
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
		check.listChecks(),
		check.reviewPossession(),
		check.reviewHold(),
		check.reviewStolenReport(),
		check.closePhotoNotes(),
		admin.getDashboard(),
		admin.listMembers(),
		admin.setRole(),
		admin.sendPasswordReset(),
		admin.exportMember(),
		admin.replaceEmail(),
		admin.endSessions(),
		admin.deleteMember(),
		admin.listJobs(),
		admin.runJob(),
		site.getChecklist(),
		site.getSite(),
		site.editSite(),
		site.setSitePicture(),
		adminCatalog.searchCatalog(),
		adminCatalog.exportCatalog(),
		adminCatalog.newGear(),
		adminCatalog.addGear(),
		adminCatalog.getGear(),
		adminCatalog.correctGear(),
		adminCatalog.removeCorrection(),
		adminCatalog.listProposals(),
		adminCatalog.decideProposal(),
		adminCatalog.importProposals(),
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
	}, contact.formOperations())
}
