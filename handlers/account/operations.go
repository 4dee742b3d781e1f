package account

import (
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	account, token, block := accountOps{deps}, tokenOps{deps}, blockOps{deps}
	return slices.Concat([]web.Operation{
		sellerOps{deps}.getSeller(),
		account.getMe(),
		dashboardOps{deps}.showAccount(),
		token.listTokens(),
		token.getToken(),
		token.createToken(),
		token.revokeToken(),
		block.listBlocks(),
		block.blockMember(),
		block.unblockMember(),
	}, account.setupOperations(), account.signUpOperations(), account.signInOperations(), account.settingsOperations(), account.passkeyOperations())
}
