CREATE TABLE "evaluations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"model_id" uuid NOT NULL,
	"suite" text NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"metrics" jsonb,
	"job_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "evaluations_state" CHECK ("evaluations"."state" in ('queued', 'running', 'done', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"format" text NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"blob" text,
	"bytes" bigint,
	"job_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "exports_state" CHECK ("exports"."state" in ('queued', 'running', 'done', 'failed', 'cancelled')),
	CONSTRAINT "exports_done" CHECK ("exports"."state" <> 'done' or "exports"."blob" is not null)
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"run_id" uuid,
	"name" text NOT NULL,
	"blob" text NOT NULL,
	"contract" jsonb NOT NULL,
	"state" text DEFAULT 'registered' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_state" CHECK ("models"."state" in ('registered', 'promoted', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"name" text NOT NULL,
	"spec" jsonb NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"result" jsonb,
	"job_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "runs_state" CHECK ("runs"."state" in ('queued', 'running', 'done', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"hash" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"schema_version_id" uuid NOT NULL,
	"manifest" text NOT NULL,
	"card" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"sha256" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"media_type" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blobs_sha256" CHECK ("blobs"."sha256" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "blobs_bytes" CHECK ("blobs"."bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "derivatives" (
	"image_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"blob" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "derivatives_image_id_kind_pk" PRIMARY KEY("image_id","kind")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"class_name" text,
	"wnid" text,
	"group_key" text,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"source_sha256" text NOT NULL,
	"blob" text NOT NULL,
	"perceptual_hash" bigint NOT NULL,
	"notes" text[] DEFAULT '{}' NOT NULL,
	"columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"origin" jsonb,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "images_size" CHECK ("images"."width" > 0 and "images"."height" > 0),
	CONSTRAINT "images_state" CHECK ("images"."state" in ('active', 'excluded', 'broken'))
);
--> statement-breakpoint
CREATE TABLE "upload_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"upload_id" uuid NOT NULL,
	"name" text NOT NULL,
	"blob" text,
	"state" text DEFAULT 'received' NOT NULL,
	"reason" text,
	"image_id" uuid,
	CONSTRAINT "upload_files_state" CHECK ("upload_files"."state" in ('received', 'accepted', 'duplicate', 'refused')),
	CONSTRAINT "upload_files_reason" CHECK ("upload_files"."state" <> 'refused' or "upload_files"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"created_by" uuid,
	"state" text DEFAULT 'open' NOT NULL,
	"job_id" uuid,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_state" CHECK ("uploads"."state" in ('open', 'ingesting', 'done', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"actor" text NOT NULL,
	"project_id" uuid,
	"verb" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_logs" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"job_id" uuid NOT NULL,
	"level" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"project_id" uuid,
	"started_by" uuid,
	"state" text DEFAULT 'queued' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"text" text DEFAULT '' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"error" text,
	"result" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "jobs_state" CHECK ("jobs"."state" in ('queued', 'running', 'retrying', 'done', 'failed', 'cancelled')),
	CONSTRAINT "jobs_finished" CHECK (("jobs"."state" in ('done', 'failed', 'cancelled')) = ("jobs"."finished_at" is not null)),
	CONSTRAINT "jobs_error" CHECK ("jobs"."state" <> 'failed' or "jobs"."error" is not null)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"schema_version_id" uuid,
	"policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_slug_unique" UNIQUE("slug"),
	CONSTRAINT "projects_slug" CHECK ("projects"."slug" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
	CONSTRAINT "projects_state" CHECK ("projects"."state" in ('draft', 'collecting', 'paused', 'finished', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "schema_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"document" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stages_kind" CHECK ("stages"."kind" in ('attributes', 'object-mask', 'part-mask', 'oracle')),
	CONSTRAINT "stages_state" CHECK ("stages"."state" in ('open', 'paused', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lease_id" uuid NOT NULL,
	"gold_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"score" jsonb,
	"passed" boolean,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"scored_at" timestamp with time zone,
	CONSTRAINT "checks_lease_id_unique" UNIQUE("lease_id"),
	CONSTRAINT "checks_scored" CHECK (("checks"."scored_at" is null) = ("checks"."passed" is null))
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"verdict" text NOT NULL,
	"reason" text NOT NULL,
	"rule" text,
	"rule_version" integer,
	"evidence" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"decided_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "decisions_subject_kind" CHECK ("decisions"."subject" in ('answer', 'worker', 'label', 'gold', 'exam', 'image')),
	CONSTRAINT "decisions_rule" CHECK (("decisions"."rule" is null) = ("decisions"."rule_version" is null))
);
--> statement-breakpoint
CREATE TABLE "exams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"precision" real,
	"recall" real,
	"mean_iou" real,
	"passed" boolean,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "exams_batch_id_unique" UNIQUE("batch_id"),
	CONSTRAINT "exams_finished" CHECK (("exams"."finished_at" is null) = ("exams"."passed" is null)),
	CONSTRAINT "exams_attempt_positive" CHECK ("exams"."attempt" > 0)
);
--> statement-breakpoint
CREATE TABLE "gold" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"value" jsonb NOT NULL,
	"mask" text,
	"state" text DEFAULT 'candidate' NOT NULL,
	"author_id" uuid,
	"confirmed_by" uuid,
	"exposures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gold_item_id_unique" UNIQUE("item_id"),
	CONSTRAINT "gold_state" CHECK ("gold"."state" in ('candidate', 'active', 'excluded', 'retired')),
	CONSTRAINT "gold_exposures" CHECK ("gold"."exposures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"amount_micro" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_kind" CHECK ("ledger"."kind" in ('batch', 'item', 'exam', 'bonus', 'adjustment', 'payment')),
	CONSTRAINT "ledger_sign" CHECK ("ledger"."kind" = 'adjustment' or ("ledger"."kind" = 'payment') = ("ledger"."amount_micro" < 0))
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"password" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"project_id" uuid,
	"roles" text[] DEFAULT '{}' NOT NULL,
	"makes_admin" boolean DEFAULT false NOT NULL,
	"email" text,
	"cohort" text,
	"seats" integer DEFAULT 1 NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_seats" CHECK ("invitations"."used" >= 0 and "invitations"."used" <= "invitations"."seats" and "invitations"."seats" > 0),
	CONSTRAINT "invitations_roles" CHECK ("invitations"."roles" <@ array['curator', 'researcher', 'worker'])
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_project_id_user_id_role_pk" PRIMARY KEY("project_id","user_id","role"),
	CONSTRAINT "memberships_role" CHECK ("memberships"."role" in ('curator', 'researcher', 'worker'))
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL,
	CONSTRAINT "rate_limits_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"is_admin" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_is_lower_case" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lease_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"value" jsonb NOT NULL,
	"mask" text,
	"area" integer,
	"active_ms" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "answers_lease_id_unique" UNIQUE("lease_id"),
	CONSTRAINT "answers_area" CHECK (("answers"."mask" is null) = ("answers"."area" is null)),
	CONSTRAINT "answers_active" CHECK ("answers"."active_ms" >= 0)
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"kind" text DEFAULT 'work' NOT NULL,
	"state" text DEFAULT 'leased' NOT NULL,
	"leased_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"submitted_at" timestamp with time zone,
	CONSTRAINT "batches_kind" CHECK ("batches"."kind" in ('work', 'exam', 'practice')),
	CONSTRAINT "batches_state" CHECK ("batches"."state" in ('leased', 'submitted', 'expired', 'returned')),
	CONSTRAINT "batches_submitted" CHECK (("batches"."state" = 'submitted') = ("batches"."submitted_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"lease_id" uuid PRIMARY KEY NOT NULL,
	"worker_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"document" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"schema_version_id" uuid NOT NULL,
	"target" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"overlap" integer DEFAULT 1 NOT NULL,
	"leased" integer DEFAULT 0 NOT NULL,
	"answered" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "items_state" CHECK ("items"."state" in ('open', 'settled', 'withdrawn')),
	CONSTRAINT "items_counts" CHECK ("items"."overlap" > 0 and "items"."leased" >= 0 and "items"."answered" >= 0)
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"target" text DEFAULT '' NOT NULL,
	"value" jsonb NOT NULL,
	"mask" text,
	"area" integer,
	"source" text NOT NULL,
	"provenance" jsonb NOT NULL,
	"confidence" real NOT NULL,
	"is_current" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_area" CHECK (("labels"."mask" is null) = ("labels"."area" is null)),
	CONSTRAINT "labels_confidence" CHECK ("labels"."confidence" between 0 and 1),
	CONSTRAINT "labels_source" CHECK ("labels"."source" in ('answer', 'consensus', 'correction', 'import', 'generator'))
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	CONSTRAINT "leases_state" CHECK ("leases"."state" in ('open', 'answered', 'released'))
);
--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_schema_version_id_schema_versions_id_fk" FOREIGN KEY ("schema_version_id") REFERENCES "public"."schema_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_manifest_blobs_sha256_fk" FOREIGN KEY ("manifest") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "derivatives" ADD CONSTRAINT "derivatives_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "derivatives" ADD CONSTRAINT "derivatives_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_logs" ADD CONSTRAINT "job_logs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_schema_version_id_schema_versions_id_fk" FOREIGN KEY ("schema_version_id") REFERENCES "public"."schema_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schema_versions" ADD CONSTRAINT "schema_versions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schema_versions" ADD CONSTRAINT "schema_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stages" ADD CONSTRAINT "stages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_gold_id_gold_id_fk" FOREIGN KEY ("gold_id") REFERENCES "public"."gold"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exams" ADD CONSTRAINT "exams_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gold" ADD CONSTRAINT "gold_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gold" ADD CONSTRAINT "gold_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gold" ADD CONSTRAINT "gold_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gold" ADD CONSTRAINT "gold_confirmed_by_users_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answers" ADD CONSTRAINT "answers_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "items" ADD CONSTRAINT "items_schema_version_id_schema_versions_id_fk" FOREIGN KEY ("schema_version_id") REFERENCES "public"."schema_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluations_project" ON "evaluations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "evaluations_version" ON "evaluations" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "evaluations_model" ON "evaluations" USING btree ("model_id");--> statement-breakpoint
CREATE INDEX "exports_version" ON "exports" USING btree ("version_id","id");--> statement-breakpoint
CREATE INDEX "exports_blob" ON "exports" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "models_name" ON "models" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "models_run" ON "models" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "models_blob" ON "models" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "runs_project" ON "runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "runs_version" ON "runs" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_number" ON "versions" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_hash" ON "versions" USING btree ("project_id","hash");--> statement-breakpoint
CREATE INDEX "versions_manifest" ON "versions" USING btree ("manifest");--> statement-breakpoint
CREATE INDEX "blobs_touched" ON "blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "derivatives_blob" ON "derivatives" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "images_source" ON "images" USING btree ("project_id","source_sha256");--> statement-breakpoint
CREATE INDEX "images_page" ON "images" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "images_class" ON "images" USING btree ("project_id","class_name","id");--> statement-breakpoint
CREATE INDEX "images_name" ON "images" USING btree ("project_id","name","id");--> statement-breakpoint
CREATE INDEX "images_blob" ON "images" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "upload_files_upload" ON "upload_files" USING btree ("upload_id","state","id");--> statement-breakpoint
CREATE INDEX "upload_files_name" ON "upload_files" USING btree ("upload_id","name");--> statement-breakpoint
CREATE INDEX "upload_files_blob" ON "upload_files" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "upload_files_image" ON "upload_files" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "uploads_project" ON "uploads" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_page" ON "audit_log" USING btree ("id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_project" ON "audit_log" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "job_logs_job" ON "job_logs" USING btree ("job_id","seq");--> statement-breakpoint
CREATE INDEX "jobs_page" ON "jobs" USING btree ("id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_project" ON "jobs" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_active" ON "jobs" USING btree ("id") WHERE state in ('queued', 'running', 'retrying');--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "jobs" USING btree ("id") WHERE state = 'failed';--> statement-breakpoint
CREATE UNIQUE INDEX "schema_versions_number" ON "schema_versions" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "stages_name" ON "stages" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "stages_project" ON "stages" USING btree ("project_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "checks_gold_never_twice" ON "checks" USING btree ("gold_id","worker_id");--> statement-breakpoint
CREATE INDEX "checks_worker" ON "checks" USING btree ("worker_id","id");--> statement-breakpoint
CREATE INDEX "decisions_subject" ON "decisions" USING btree ("subject","subject_id","id");--> statement-breakpoint
CREATE INDEX "decisions_project" ON "decisions" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "exams_attempt" ON "exams" USING btree ("stage_id","worker_id","attempt");--> statement-breakpoint
CREATE INDEX "exams_worker" ON "exams" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "exams_project" ON "exams" USING btree ("project_id","stage_id");--> statement-breakpoint
CREATE INDEX "gold_project" ON "gold" USING btree ("project_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_paid_once" ON "ledger" USING btree ("kind","source_id");--> statement-breakpoint
CREATE INDEX "ledger_worker" ON "ledger" USING btree ("worker_id","id");--> statement-breakpoint
CREATE INDEX "ledger_project" ON "ledger" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_project" ON "invitations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "answers_item" ON "answers" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "answers_worker" ON "answers" USING btree ("worker_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_one_at_a_time" ON "batches" USING btree ("stage_id","worker_id") WHERE state = 'leased';--> statement-breakpoint
CREATE INDEX "batches_worker" ON "batches" USING btree ("worker_id","id");--> statement-breakpoint
CREATE INDEX "batches_project" ON "batches" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "batches_expiring" ON "batches" USING btree ("leased_until") WHERE state = 'leased';--> statement-breakpoint
CREATE UNIQUE INDEX "items_question" ON "items" USING btree ("stage_id","image_id","target");--> statement-breakpoint
CREATE INDEX "items_image" ON "items" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "items_project" ON "items" USING btree ("project_id","state");--> statement-breakpoint
CREATE INDEX "items_to_hand_out" ON "items" USING btree ("stage_id","priority" DESC NULLS LAST,"id") WHERE state = 'open' and leased + answered < overlap;--> statement-breakpoint
CREATE UNIQUE INDEX "labels_current" ON "labels" USING btree ("item_id") WHERE is_current;--> statement-breakpoint
CREATE INDEX "labels_image" ON "labels" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "labels_project" ON "labels" USING btree ("project_id","target") WHERE is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "leases_never_twice" ON "leases" USING btree ("item_id","worker_id");--> statement-breakpoint
CREATE UNIQUE INDEX "leases_position" ON "leases" USING btree ("batch_id","position");--> statement-breakpoint
CREATE INDEX "leases_worker" ON "leases" USING btree ("worker_id");