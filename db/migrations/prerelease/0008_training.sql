CREATE TABLE "model_files" (
	"model_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"blob" text NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "model_files_model_id_kind_pk" PRIMARY KEY("model_id","kind")
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"document" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "run_events_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
CREATE TABLE "run_files" (
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"blob" text NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "run_files_run_id_path_pk" PRIMARY KEY("run_id","path")
);
--> statement-breakpoint
CREATE TABLE "trainers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"capabilities" jsonb NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trainers_kind" CHECK ("trainers"."kind" in ('local', 'remote'))
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "options" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "study" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "trainer" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "checkpoint" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_files_blob" ON "model_files" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "run_events_kind" ON "run_events" USING btree ("run_id","kind","seq");--> statement-breakpoint
CREATE INDEX "run_files_blob" ON "run_files" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "trainers_name" ON "trainers" USING btree ("name");--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_checkpoint_blobs_sha256_fk" FOREIGN KEY ("checkpoint") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_checkpoint" ON "runs" USING btree ("checkpoint");--> statement-breakpoint
CREATE INDEX "runs_study" ON "runs" USING btree ("project_id","study") WHERE study is not null;