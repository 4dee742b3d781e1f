// Package prices makes public price figures of sales: trends, the price index,
// depreciation and valuations. It reads no database.
package prices
