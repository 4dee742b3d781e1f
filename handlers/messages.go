package handlers

// messageOperations are what members write each other.
func (s *Server) messageOperations() []Operation { return nil }
