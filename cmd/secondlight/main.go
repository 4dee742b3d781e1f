// Command secondlight serves a used camera and lens marketplace joined to a
// photographer's portfolio.
package main

func main() {}
