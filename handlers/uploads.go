package handlers

// photoOperations are what sellers do about the photographs of a listing.
func (s *Server) photoOperations() []Operation { return nil }
