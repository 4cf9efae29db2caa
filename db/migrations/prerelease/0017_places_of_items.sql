-- Batches that were reclaimed together could leave an item counted as leased by nobody, so that it was never asked again.
LOCK TABLE "items" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
UPDATE "items" i SET "leased" = held.places
FROM (
	SELECT counted.id, count(l.id)::int AS places
	FROM "items" counted
	LEFT JOIN ("leases" l JOIN "batches" b ON b.id = l.batch_id AND b.state = 'leased')
		ON l.item_id = counted.id AND l.state IN ('open', 'answered')
		AND NOT EXISTS (SELECT 1 FROM "checks" c WHERE c.lease_id = l.id)
	GROUP BY counted.id
) held
WHERE i.id = held.id AND i.leased <> held.places;
