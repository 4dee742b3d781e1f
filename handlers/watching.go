package handlers

// watchingOperations are what members keep an eye on.
func (s *Server) watchingOperations() []Operation { return nil }
