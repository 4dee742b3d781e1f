package handlers

// tokenOperations are what members do about their tokens.
func (s *Server) tokenOperations() []Operation { return nil }
