package document

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
)

// mountSkills serves the skills and their index, as described in
// https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0.
func (s Documents) mountSkills(server *serve.Server) {
	for _, skill := range content.Skills() {
		server.MountText(SkillPath(skill), web.Markdown.ContentType(), func() string { return s.skillText(skill) })
	}
	server.MountObject("/.well-known/agent-skills/index.json", web.JSON.ContentType(), s.skillIndex)
}

// SkillPath returns the path of a skill.
func SkillPath(skill *content.Skill) string {
	return "/.well-known/agent-skills/" + skill.Name + "/SKILL.md"
}

// skillText returns the Markdown of a skill, with URLs of this site.
func (s Documents) skillText(skill *content.Skill) string {
	return strings.ReplaceAll(skill.Markdown, content.SkillSite, s.Site.BaseURL)
}

// skillIndex returns the index of the skills with their SHA-256 digests.
func (s Documents) skillIndex() web.Object {
	var skills []web.Object
	for _, skill := range content.Skills() {
		digest := sha256.Sum256([]byte(s.skillText(skill)))
		skills = append(skills, web.NewObject(
			"name", skill.Name,
			"type", "skill-md",
			"description", skill.Description,
			"url", SkillPath(skill),
			"digest", "sha256:"+hex.EncodeToString(digest[:]),
		))
	}
	return web.NewObject("$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json", "skills", skills)
}
