package handlers

// accountOperations are what members do about themselves.
func (s *Server) accountOperations() []Operation { return nil }
