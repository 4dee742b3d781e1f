package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/secondlight/secondlight/content"
)

// mountSkills serves the skills and their index, as agents look for them:
// https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0.
func (s *Server) mountSkills() {
	for _, skill := range content.Skills() {
		s.mountText(skillPath(skill), Markdown.ContentType(), func() string { return s.skillText(skill) })
	}
	s.mountObject("/.well-known/agent-skills/index.json", JSON.ContentType(), s.skillIndex)
}

func skillPath(skill *content.Skill) string {
	return "/.well-known/agent-skills/" + skill.Name + "/SKILL.md"
}

// skillText is a skill as it is served, with the site's own addresses in it.
func (s *Server) skillText(skill *content.Skill) string {
	return strings.ReplaceAll(skill.Markdown, content.SkillSite, s.site.BaseURL)
}

func (s *Server) skillIndex() object {
	var skills []object
	for _, skill := range content.Skills() {
		digest := sha256.Sum256([]byte(s.skillText(skill)))
		skills = append(skills, object{
			{"name", skill.Name},
			{"type", "skill-md"},
			{"description", skill.Description},
			{"url", skillPath(skill)},
			{"digest", "sha256:" + hex.EncodeToString(digest[:])},
		})
	}
	return object{{"$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"}, {"skills", skills}}
}
