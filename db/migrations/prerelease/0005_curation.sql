CREATE TABLE "audit_picks" (
	"audit_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"label_id" uuid NOT NULL,
	"verdict" text,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	CONSTRAINT "audit_picks_audit_id_position_pk" PRIMARY KEY("audit_id","position"),
	CONSTRAINT "audit_picks_decided" CHECK (("audit_picks"."verdict" is null) = ("audit_picks"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "audits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid,
	"seed" text NOT NULL,
	"population" integer NOT NULL,
	"size" integer NOT NULL,
	"margin" real NOT NULL,
	"confidence" real NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "audits_state" CHECK ("audits"."state" in ('open', 'closed')),
	CONSTRAINT "audits_size" CHECK ("audits"."size" > 0 and "audits"."size" <= "audits"."population"),
	CONSTRAINT "audits_closed" CHECK (("audits"."state" = 'closed') = ("audits"."closed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "consensus_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"method" text NOT NULL,
	"parameters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"job_id" uuid,
	"state" text DEFAULT 'building' NOT NULL,
	"result" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "consensus_runs_state" CHECK ("consensus_runs"."state" in ('building', 'applied', 'taken-back', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "guide_pictures" (
	"project_id" uuid NOT NULL,
	"blob" text NOT NULL,
	"name" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guide_pictures_project_id_blob_pk" PRIMARY KEY("project_id","blob")
);
--> statement-breakpoint
CREATE TABLE "label_risks" (
	"label_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"risk" real NOT NULL,
	"agreement" real,
	"warnings" text[] DEFAULT '{}' NOT NULL,
	"reviewed_at" timestamp with time zone,
	"rated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "label_risks_range" CHECK ("label_risks"."risk" between 0 and 1)
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"document" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "lookalike_of" uuid;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "pay" jsonb;--> statement-breakpoint
ALTER TABLE "audit_picks" ADD CONSTRAINT "audit_picks_audit_id_audits_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_picks" ADD CONSTRAINT "audit_picks_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_picks" ADD CONSTRAINT "audit_picks_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audits" ADD CONSTRAINT "audits_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audits" ADD CONSTRAINT "audits_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audits" ADD CONSTRAINT "audits_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consensus_runs" ADD CONSTRAINT "consensus_runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consensus_runs" ADD CONSTRAINT "consensus_runs_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consensus_runs" ADD CONSTRAINT "consensus_runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guide_pictures" ADD CONSTRAINT "guide_pictures_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guide_pictures" ADD CONSTRAINT "guide_pictures_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guide_pictures" ADD CONSTRAINT "guide_pictures_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_risks" ADD CONSTRAINT "label_risks_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_risks" ADD CONSTRAINT "label_risks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "label_risks" ADD CONSTRAINT "label_risks_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_picks_label" ON "audit_picks" USING btree ("audit_id","label_id");--> statement-breakpoint
CREATE INDEX "audit_picks_of_label" ON "audit_picks" USING btree ("label_id");--> statement-breakpoint
CREATE INDEX "audits_project" ON "audits" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "audits_stage" ON "audits" USING btree ("stage_id");--> statement-breakpoint
CREATE INDEX "consensus_runs_project" ON "consensus_runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "consensus_runs_stage" ON "consensus_runs" USING btree ("stage_id");--> statement-breakpoint
CREATE INDEX "guide_pictures_blob" ON "guide_pictures" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "label_risks_queue" ON "label_risks" USING btree ("project_id","risk" DESC NULLS LAST,"label_id") WHERE reviewed_at is null;--> statement-breakpoint
CREATE INDEX "label_risks_stage" ON "label_risks" USING btree ("stage_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name" ON "saved_filters" USING btree ("project_id","owner_id","name");--> statement-breakpoint
CREATE INDEX "saved_filters_owner" ON "saved_filters" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "images_lookalike" ON "images" USING btree ("project_id","lookalike_of","id") WHERE lookalike_of is not null;--> statement-breakpoint
-- Pictures of guides were kept as files of an upload before.
INSERT INTO "guide_pictures" ("project_id", "blob", "name", "created_by", "created_at")
SELECT DISTINCT ON (u."project_id", f."blob") u."project_id", f."blob", f."name", u."created_by", u."created_at"
FROM "upload_files" f JOIN "uploads" u ON u."id" = f."upload_id"
WHERE u."options" @> '{"purpose":"guide"}' AND f."blob" IS NOT NULL
ORDER BY u."project_id", f."blob", u."created_at";
--> statement-breakpoint
DELETE FROM "uploads" WHERE "options" @> '{"purpose":"guide"}';
