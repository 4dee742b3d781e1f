package ucp

// Schemas of the tools' arguments. meta is what a platform says about itself; what is not listed
// is ignored.
const (
	searchSchema = `{"type": "object", "required": ["catalog"], "properties": {"meta": {"type": "object"}, "catalog": {"type": "object", "properties": {
		"query": {"type": "string", "maxLength": 200, "description": "gear, nickname or a sentence: 35mm lens for my fuji under 400"},` + commonSchema + `,
		"pagination": {"type": "object", "properties": {"cursor": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "default": 10}}}}}}}`
	lookupSchema = `{"type": "object", "required": ["catalog"], "properties": {"meta": {"type": "object"}, "catalog": {"type": "object", "required": ["ids"], "properties": {
		"ids": {"type": "array", "minItems": 1, "items": {"type": "string", "maxLength": 500}},` + commonSchema + `}}}}`
	productSchema = `{"type": "object", "required": ["catalog"], "properties": {"meta": {"type": "object"}, "catalog": {"type": "object", "required": ["id"], "properties": {
		"id": {"type": "string", "maxLength": 500},` + commonSchema + `}}}}`
	commonSchema = `"context": {"type": "object", "properties": {"currency": {"type": "string", "description": "ISO 4217, of filters.price"}}},
		"filters": {"type": "object", "properties": {
			"categories": {"type": "array", "items": {"type": "string"}, "description": "camera, lens, mirrorless, lens_prime, …"},
			"price": {"type": "object", "description": "minor units", "properties": {"min": {"type": "integer", "minimum": 0}, "max": {"type": "integer", "minimum": 0}}}}}`
)
