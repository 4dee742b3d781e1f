// Package models has the types and rules of the site: listings, items, offers, sales and
// members. It doesn't use the database; models/store does.
package models
