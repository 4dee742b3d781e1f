package bulk

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
)

//go:embed recipes
var recipeFiles embed.FS

// Recipe is a program that keeps a copy of the public data.
type Recipe struct {
	Language string `json:"language"`
	URL      string `json:"url"`
}

// recipes are the names of the programs by language.
var recipes = []struct{ language, name string }{{"Python", "mirror.py"}, {"TypeScript", "mirror.ts"}, {"Go", "mirror.go"}}

// recipes returns the programs with their addresses.
func (b *Bulk) recipes() (all []Recipe) {
	for _, r := range recipes {
		all = append(all, Recipe{r.language, b.Site.URL(bulkPath + r.name)})
	}
	return all
}

// mountRecipes serves the programs as text.
func mountRecipes(file func(path string, handler fiber.Handler)) {
	for _, r := range recipes {
		text, err := recipeFiles.ReadFile("recipes/" + r.name)
		if err != nil {
			panic(err) // it is embedded
		}
		sum := sha256.Sum256(text)
		file(bulkPath+r.name, func(c *fiber.Ctx) error {
			return web.SendAsset(c, "text/plain; charset=utf-8", `"`+hex.EncodeToString(sum[:8])+`"`, bulkCaching, text)
		})
	}
}
