package handlers

// offerOperations are what buyers and sellers do about a price.
func (s *Server) offerOperations() []Operation { return nil }
