ALTER TABLE "drafts" ADD COLUMN "answer" jsonb;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "done_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "active_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_done" CHECK (("drafts"."answer" is null) = ("drafts"."done_at" is null));--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_active" CHECK ("drafts"."active_ms" >= 0);