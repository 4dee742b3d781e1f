package handlers

// sellingOperations are what sellers do about their listings.
func (s *Server) sellingOperations() []Operation { return nil }
