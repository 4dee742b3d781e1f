package views

// Result returns what get_me returns.
func (p *Me) Result(*NoOptions) *MeResult {
	return &MeResult{p.Handle, p.Region, p.Role, p.Suspended, p.Unread, p.Waiting, p.Listings, p.Scopes, p}
}
