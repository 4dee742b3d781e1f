-- +goose Up

-- Categories are spelled with underscores, like all other values.
UPDATE listings SET category = REPLACE(category, '-', '_') WHERE category LIKE '%-%';
UPDATE agreements SET category = REPLACE(category, '-', '_') WHERE category LIKE '%-%';

-- Saved searches store their parameters as a query string.
UPDATE searches SET query = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(query,
    'category=lens-', 'category=lens_'), 'category=film-slr', 'category=film_slr'), 'category=action-cam', 'category=action_cam'),
    'category=medium-format', 'category=medium_format'), 'category=large-format', 'category=large_format')
WHERE query LIKE '%category=%-%';
