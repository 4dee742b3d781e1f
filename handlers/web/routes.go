package web

import "github.com/gofiber/fiber/v2"

// Routes takes handlers that are not operations.
type Routes interface {
	Get(path string, handler fiber.Handler)
	Post(path string, handler fiber.Handler)
}
