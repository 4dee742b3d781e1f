package handlers

// trustOperations are what members and operators do about who and what to trust.
func (s *Server) trustOperations() []Operation { return nil }
