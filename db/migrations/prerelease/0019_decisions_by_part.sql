ALTER TABLE "standings" ADD COLUMN "paused_targets" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "decisions" ADD COLUMN "target" text;--> statement-breakpoint
-- Earlier releases took a finished refresher for a fresh start. Only a lifted pause is one: evidence from before
-- refreshers counts again.
UPDATE "standings" s SET "since" = coalesce((
	SELECT max(d.created_at) FROM "decisions" d
	WHERE d.subject = 'worker' AND d.subject_id = s.worker_id AND d.stage_id = s.stage_id
		AND d.verdict = 'resume' AND d.rule IS DISTINCT FROM 'refresher'), 'epoch')
WHERE EXISTS (
	SELECT 1 FROM "decisions" d
	WHERE d.subject = 'worker' AND d.subject_id = s.worker_id AND d.stage_id = s.stage_id
		AND d.verdict = 'resume' AND d.rule = 'refresher');
