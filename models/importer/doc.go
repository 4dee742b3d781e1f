// Package importer reads listings and sales from files of shops.
package importer
