package handlers

import "github.com/secondlight/secondlight/handlers/web"

// portfolioOperations returns the operations of the package.
func portfolioOperations(deps portfolioDeps) []web.Operation {
	portfolio, portfolioEditor := portfolioOps{deps}, portfolioEditorOps{portfolioOps{deps}}
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
		portfolioEditor.uploadProjectPhotos(),
	}
}
