DROP INDEX "label_risks_queue";--> statement-breakpoint
ALTER TABLE "label_risks" ALTER COLUMN "risk" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "label_risks" ADD COLUMN "rank" real NOT NULL DEFAULT 0;--> statement-breakpoint
UPDATE "label_risks" SET "rank" = "risk";--> statement-breakpoint
UPDATE "label_risks" r SET "risk" = NULL, "rank" = r."risk" - 1 FROM "labels" l
WHERE l."id" = r."label_id" AND l."source" = 'import' AND NOT EXISTS (SELECT 1 FROM "answers" a WHERE a."item_id" = l."item_id");--> statement-breakpoint
ALTER TABLE "label_risks" ALTER COLUMN "rank" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "label_risks_queue" ON "label_risks" USING btree ("project_id","rank" DESC NULLS LAST,"label_id") WHERE reviewed_at is null;
