package models

import "context"

// TablesOfMembers returns the tables with foreign keys to members or their
// records, for the test of PersonalData.
func (s *Store) TablesOfMembers(ctx context.Context) (names []string, err error) {
	query := `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND f."table" IN ('members', 'accounts', 'listings', 'offers', 'conversations', 'searches')`
	if _, ok := s.engine.(postgres); ok {
		query = `SELECT DISTINCT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid::regclass::text IN ('members', 'accounts', 'listings', 'offers', 'conversations', 'searches')`
	}
	err = s.read.SelectContext(ctx, &names, query)
	return names, err
}
