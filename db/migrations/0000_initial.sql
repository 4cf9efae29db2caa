CREATE TABLE "appeals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"decision_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"text" text NOT NULL,
	"outcome" text,
	"reply" text,
	"answered_by" uuid,
	"answered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "appeals_decision_id_unique" UNIQUE("decision_id"),
	CONSTRAINT "appeals_outcome" CHECK ("appeals"."outcome" in ('granted', 'upheld')),
	CONSTRAINT "appeals_answered" CHECK (("appeals"."answered_at" is null) = ("appeals"."outcome" is null) and ("appeals"."answered_at" is null) = ("appeals"."reply" is null))
);
--> statement-breakpoint
CREATE TABLE "arrivals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recruitment_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"external_worker" text NOT NULL,
	"external_session" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "arrivals_state" CHECK ("arrivals"."state" in ('active', 'finished', 'screened-out', 'returned', 'timed-out')),
	CONSTRAINT "arrivals_ended" CHECK (("arrivals"."state" = 'active') = ("arrivals"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "consent_texts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"document" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"consent_text_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"translation_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_kind" CHECK ("consents"."kind" in ('agreed', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "guides" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"target" text DEFAULT '' NOT NULL,
	"number" integer NOT NULL,
	"short" text DEFAULT '' NOT NULL,
	"full" text DEFAULT '' NOT NULL,
	"examples" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payout_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"amount_micro" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	CONSTRAINT "payout_lines_amount" CHECK ("payout_lines"."amount_micro" > 0)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"state" text DEFAULT 'approved' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"recruitment_id" uuid,
	"reference" text,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "payouts_state" CHECK ("payouts"."state" in ('approved', 'paid', 'cancelled')),
	CONSTRAINT "payouts_settled" CHECK (("payouts"."state" = 'approved') = ("payouts"."settled_at" is null))
);
--> statement-breakpoint
CREATE TABLE "recruitments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"recruiter" text NOT NULL,
	"external_id" text NOT NULL,
	"cohort" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recruitments_recruiter" CHECK ("recruitments"."recruiter" in ('pool', 'prolific', 'external-hit'))
);
--> statement-breakpoint
CREATE TABLE "rule_sets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"rules" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "standings" (
	"stage_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"paused_targets" text[] DEFAULT '{}'::text[] NOT NULL,
	"needs_confirmation" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"decision_id" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "standings_stage_id_worker_id_pk" PRIMARY KEY("stage_id","worker_id"),
	CONSTRAINT "standings_state" CHECK ("standings"."state" in ('active', 'refresher', 'paused', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "text_translations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"locale" text NOT NULL,
	"key" text NOT NULL,
	"number" integer NOT NULL,
	"source" text NOT NULL,
	"text" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "text_translations_locale" CHECK ("text_translations"."locale" ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
	CONSTRAINT "text_translations_counted" CHECK ("text_translations"."number" > 0)
);
--> statement-breakpoint
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
	"disagreement" real,
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
CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"format" text NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"blob" text,
	"bytes" bigint,
	"files" integer,
	"losses" text[] DEFAULT '{}' NOT NULL,
	"job_id" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "exports_whole" CHECK (("exports"."blob" is null) = ("exports"."bytes" is null))
);
--> statement-breakpoint
CREATE TABLE "version_images" (
	"version_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"image_id" uuid NOT NULL,
	"split" text NOT NULL,
	"class_name" text,
	"blob" text NOT NULL,
	CONSTRAINT "version_images_version_id_position_pk" PRIMARY KEY("version_id","position"),
	CONSTRAINT "version_images_position" CHECK ("version_images"."position" >= 0)
);
--> statement-breakpoint
CREATE TABLE "version_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"text" text NOT NULL,
	"superseded_by" uuid,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "version_notes_text" CHECK ("version_notes"."text" <> '' or "version_notes"."superseded_by" is not null)
);
--> statement-breakpoint
CREATE TABLE "version_statistics" (
	"version_id" uuid PRIMARY KEY NOT NULL,
	"document" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_tags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "version_tags_word" CHECK ("version_tags"."tag" ~ '^[a-z0-9][a-z0-9._-]{0,39}$' and "version_tags"."tag" !~ '^[0-9]+$')
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
	"licence" text DEFAULT '' NOT NULL,
	"image_count" integer DEFAULT 0 NOT NULL,
	"label_count" integer DEFAULT 0 NOT NULL,
	"card" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evaluation_images" (
	"evaluation_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"class_name" text NOT NULL,
	"predicted" text NOT NULL,
	"is_right" boolean NOT NULL,
	"scores" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "evaluation_images_evaluation_id_image_id_pk" PRIMARY KEY("evaluation_id","image_id")
);
--> statement-breakpoint
CREATE TABLE "evaluation_rows" (
	"project_id" uuid NOT NULL,
	"model" text NOT NULL,
	"variant" text NOT NULL,
	"sample" text NOT NULL,
	"cells" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "evaluation_rows_project_id_model_variant_sample_pk" PRIMARY KEY("project_id","model","variant","sample")
);
--> statement-breakpoint
CREATE TABLE "evaluation_transfers" (
	"from_id" uuid NOT NULL,
	"to_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"is_validated" boolean NOT NULL,
	"predicted" text NOT NULL,
	"p_true" real NOT NULL,
	"blob" text,
	CONSTRAINT "evaluation_transfers_from_id_to_id_image_id_pk" PRIMARY KEY("from_id","to_id","image_id"),
	CONSTRAINT "evaluation_transfers_blob_validated" CHECK (("evaluation_transfers"."blob" is not null) = "evaluation_transfers"."is_validated")
);
--> statement-breakpoint
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
	CONSTRAINT "evaluations_state" CHECK ("evaluations"."state" in ('queued', 'running', 'done', 'failed', 'cancelled', 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "oracle_chains" (
	"evaluation_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"class_name" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"length" integer NOT NULL,
	"blob" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oracle_chains_evaluation_id_image_id_pk" PRIMARY KEY("evaluation_id","image_id"),
	CONSTRAINT "oracle_chains_length" CHECK ("oracle_chains"."length" > 0 and "oracle_chains"."width" > 0 and "oracle_chains"."height" > 0)
);
--> statement-breakpoint
CREATE TABLE "oracle_questions" (
	"evaluation_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"step" integer NOT NULL,
	"item_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oracle_questions_evaluation_id_image_id_step_pk" PRIMARY KEY("evaluation_id","image_id","step"),
	CONSTRAINT "oracle_questions_step" CHECK ("oracle_questions"."step" >= -1)
);
--> statement-breakpoint
CREATE TABLE "slice_images" (
	"slice_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	CONSTRAINT "slice_images_slice_id_image_id_pk" PRIMARY KEY("slice_id","image_id")
);
--> statement-breakpoint
CREATE TABLE "slices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"evaluation_id" uuid,
	"name" text NOT NULL,
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
	"lookalike_of" uuid,
	"notes" text[] DEFAULT '{}' NOT NULL,
	"columns" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"origin" jsonb,
	"state" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "images_size" CHECK ("images"."width" > 0 and "images"."height" > 0),
	CONSTRAINT "images_state" CHECK ("images"."state" in ('active', 'excluded', 'broken', 'derived'))
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
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"lease_id" uuid,
	"author_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_kind" CHECK ("messages"."kind" in ('comment', 'broken-image'))
);
--> statement-breakpoint
CREATE TABLE "model_files" (
	"model_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"blob" text NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "model_files_model_id_kind_pk" PRIMARY KEY("model_id","kind")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"run_id" uuid,
	"name" text NOT NULL,
	"kind" text DEFAULT 'classifier' NOT NULL,
	"blob" text NOT NULL,
	"contract" jsonb NOT NULL,
	"state" text DEFAULT 'registered' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_kind" CHECK ("models"."kind" in ('classifier', 'decoder', 'oracle')),
	CONSTRAINT "models_state" CHECK ("models"."state" in ('registered', 'promoted', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "predictions" (
	"model_id" uuid NOT NULL,
	"image_id" uuid NOT NULL,
	"class_name" text NOT NULL,
	"scores" real[] NOT NULL,
	"uncertainty" real NOT NULL,
	"masks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"feature" real[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "predictions_model_id_image_id_pk" PRIMARY KEY("model_id","image_id"),
	CONSTRAINT "predictions_uncertainty" CHECK ("predictions"."uncertainty" between 0 and 1)
);
--> statement-breakpoint
CREATE TABLE "suggestions" (
	"lease_id" uuid PRIMARY KEY NOT NULL,
	"model_id" uuid NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suggestions_state" CHECK ("suggestions"."state" in ('shown', 'withheld'))
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
	"request_id" text,
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
	"language" text DEFAULT 'en' NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_slug_unique" UNIQUE("slug"),
	CONSTRAINT "projects_slug" CHECK ("projects"."slug" ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
	CONSTRAINT "projects_state" CHECK ("projects"."state" in ('draft', 'collecting', 'paused', 'finished', 'archived')),
	CONSTRAINT "projects_language" CHECK ("projects"."language" ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
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
	"asks" text DEFAULT 'images' NOT NULL,
	"policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stages_kind" CHECK ("stages"."kind" in ('attributes', 'object-mask', 'part-mask', 'oracle')),
	CONSTRAINT "stages_state" CHECK ("stages"."state" in ('open', 'paused', 'closed')),
	CONSTRAINT "stages_asks" CHECK ("stages"."asks" = 'images' or ("stages"."asks" = 'evaluations' and "stages"."kind" = 'oracle'))
);
--> statement-breakpoint
CREATE TABLE "checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lease_id" uuid NOT NULL,
	"gold_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"score" jsonb,
	"passed" boolean,
	"twin_image_id" uuid,
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
	"stage_id" uuid,
	"verdict" text NOT NULL,
	"target" text,
	"reason" text NOT NULL,
	"rule" text,
	"rule_version" integer,
	"evidence" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"decided_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "decisions_subject_kind" CHECK ("decisions"."subject" in ('answer', 'worker', 'label', 'gold', 'exam', 'image')),
	CONSTRAINT "decisions_worker_stage" CHECK ("decisions"."subject" <> 'worker' or "decisions"."stage_id" is not null),
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
	"pool" text DEFAULT 'check' NOT NULL,
	"author_id" uuid,
	"confirmed_by" uuid,
	"exposures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gold_item_id_unique" UNIQUE("item_id"),
	CONSTRAINT "gold_state" CHECK ("gold"."state" in ('candidate', 'active', 'excluded', 'retired')),
	CONSTRAINT "gold_pool" CHECK ("gold"."pool" in ('check', 'exam', 'practice')),
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
CREATE TABLE "pay_reviews" (
	"batch_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"amount_micro" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pay_reviews_reason" CHECK ("pay_reviews"."reason" in ('instant', 'constant')),
	CONSTRAINT "pay_reviews_state" CHECK ("pay_reviews"."state" in ('open', 'approved', 'refused')),
	CONSTRAINT "pay_reviews_decided" CHECK (("pay_reviews"."state" = 'open') = ("pay_reviews"."decided_at" is null))
);
--> statement-breakpoint
CREATE TABLE "payees" (
	"project_id" uuid NOT NULL,
	"worker_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payees_project_id_worker_id_pk" PRIMARY KEY("project_id","worker_id"),
	CONSTRAINT "payees_sealed" CHECK ("payees"."sealed" ~ '^v1[.][A-Za-z0-9_-]{40,}$')
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
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"name" text NOT NULL,
	"spec" jsonb NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"study" text,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"launcher" text DEFAULT 'local' NOT NULL,
	"trainer" text,
	"leased_until" timestamp with time zone,
	"checkpoint" text,
	"result" jsonb,
	"job_id" uuid,
	"started_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "runs_state" CHECK ("runs"."state" in ('queued', 'running', 'done', 'failed', 'cancelled')),
	CONSTRAINT "runs_launcher" CHECK ("runs"."launcher" in ('local', 'slurm', 'remote'))
);
--> statement-breakpoint
CREATE TABLE "trainers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"key_id" uuid,
	"capabilities" jsonb NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trainers_kind" CHECK ("trainers"."kind" in ('local', 'slurm', 'remote'))
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
	"cohort" text,
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
CREATE TABLE "removed_workers" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "removed_workers_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
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
	"preferences" jsonb DEFAULT '{}'::jsonb NOT NULL,
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
CREATE TABLE "answer_comparisons" (
	"answer_id" uuid PRIMARY KEY NOT NULL,
	"public_model" text,
	"public_iou" real,
	"model_id" uuid,
	"model_level" real,
	"model_agreement" real,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "answer_comparisons_public" CHECK (("answer_comparisons"."public_model" is null) = ("answer_comparisons"."public_iou" is null)),
	CONSTRAINT "answer_comparisons_model" CHECK (("answer_comparisons"."model_level" is null) = ("answer_comparisons"."model_agreement" is null)),
	CONSTRAINT "answer_comparisons_range" CHECK (coalesce("answer_comparisons"."public_iou", 0) between 0 and 1 and coalesce("answer_comparisons"."model_level", 0) between 0 and 1 and coalesce("answer_comparisons"."model_agreement", 0) between 0 and 1)
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
	"is_late" boolean DEFAULT false NOT NULL,
	"interaction" jsonb,
	"repeats_code" boolean DEFAULT false NOT NULL,
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
	"pay" jsonb,
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
	"answer" jsonb,
	"done_at" timestamp with time zone,
	"active_ms" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "drafts_done" CHECK (("drafts"."answer" is null) = ("drafts"."done_at" is null)),
	CONSTRAINT "drafts_active" CHECK ("drafts"."active_ms" >= 0)
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
	"shuffle" integer GENERATED ALWAYS AS (('x' || substr(md5(stage_id::text || image_id::text), 1, 8))::bit(32)::integer) STORED NOT NULL,
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
	"is_extra" boolean DEFAULT false NOT NULL,
	CONSTRAINT "leases_state" CHECK ("leases"."state" in ('open', 'answered', 'released', 'late'))
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"batch_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	CONSTRAINT "reservations_batch_id_item_id_pk" PRIMARY KEY("batch_id","item_id")
);
--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_recruitment_id_recruitments_id_fk" FOREIGN KEY ("recruitment_id") REFERENCES "public"."recruitments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_texts" ADD CONSTRAINT "consent_texts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_texts" ADD CONSTRAINT "consent_texts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_consent_text_id_consent_texts_id_fk" FOREIGN KEY ("consent_text_id") REFERENCES "public"."consent_texts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guides" ADD CONSTRAINT "guides_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guides" ADD CONSTRAINT "guides_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guides" ADD CONSTRAINT "guides_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_recruitment_id_recruitments_id_fk" FOREIGN KEY ("recruitment_id") REFERENCES "public"."recruitments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recruitments" ADD CONSTRAINT "recruitments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recruitments" ADD CONSTRAINT "recruitments_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_sets" ADD CONSTRAINT "rule_sets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_sets" ADD CONSTRAINT "rule_sets_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "standings" ADD CONSTRAINT "standings_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_translations" ADD CONSTRAINT "text_translations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_translations" ADD CONSTRAINT "text_translations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "exports" ADD CONSTRAINT "exports_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_superseded_by_versions_id_fk" FOREIGN KEY ("superseded_by") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_statistics" ADD CONSTRAINT "version_statistics_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_tags" ADD CONSTRAINT "version_tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_tags" ADD CONSTRAINT "version_tags_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_schema_version_id_schema_versions_id_fk" FOREIGN KEY ("schema_version_id") REFERENCES "public"."schema_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_manifest_blobs_sha256_fk" FOREIGN KEY ("manifest") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_images" ADD CONSTRAINT "evaluation_images_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_images" ADD CONSTRAINT "evaluation_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_rows" ADD CONSTRAINT "evaluation_rows_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_from_id_evaluations_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_to_id_evaluations_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_questions" ADD CONSTRAINT "oracle_questions_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_questions" ADD CONSTRAINT "oracle_questions_chain" FOREIGN KEY ("evaluation_id","image_id") REFERENCES "public"."oracle_chains"("evaluation_id","image_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slice_images" ADD CONSTRAINT "slice_images_slice_id_slices_id_fk" FOREIGN KEY ("slice_id") REFERENCES "public"."slices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slice_images" ADD CONSTRAINT "slice_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "derivatives" ADD CONSTRAINT "derivatives_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "derivatives" ADD CONSTRAINT "derivatives_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_files" ADD CONSTRAINT "upload_files_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "checks" ADD CONSTRAINT "checks_twin_image_id_images_id_fk" FOREIGN KEY ("twin_image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_checkpoint_blobs_sha256_fk" FOREIGN KEY ("checkpoint") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trainers" ADD CONSTRAINT "trainers_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_workers" ADD CONSTRAINT "removed_workers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_workers" ADD CONSTRAINT "removed_workers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answer_comparisons" ADD CONSTRAINT "answer_comparisons_answer_id_answers_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."answers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "appeals_project" ON "appeals" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "appeals_worker" ON "appeals" USING btree ("worker_id");--> statement-breakpoint
CREATE UNIQUE INDEX "arrivals_session" ON "arrivals" USING btree ("recruitment_id","external_session");--> statement-breakpoint
CREATE INDEX "arrivals_worker" ON "arrivals" USING btree ("worker_id","project_id");--> statement-breakpoint
CREATE INDEX "arrivals_project" ON "arrivals" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "arrivals_external_worker" ON "arrivals" USING btree ("external_worker");--> statement-breakpoint
CREATE UNIQUE INDEX "consent_texts_number" ON "consent_texts" USING btree ("project_id","number");--> statement-breakpoint
CREATE INDEX "consents_worker" ON "consents" USING btree ("worker_id","project_id","id");--> statement-breakpoint
CREATE INDEX "consents_project" ON "consents" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "guides_number" ON "guides" USING btree ("stage_id","target","number");--> statement-breakpoint
CREATE INDEX "guides_project" ON "guides" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_lines_once" ON "payout_lines" USING btree ("payout_id","worker_id","currency");--> statement-breakpoint
CREATE INDEX "payout_lines_worker" ON "payout_lines" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "payouts_project" ON "payouts" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "payouts_recruitment" ON "payouts" USING btree ("recruitment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recruitments_external" ON "recruitments" USING btree ("recruiter","external_id");--> statement-breakpoint
CREATE INDEX "recruitments_project" ON "recruitments" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "rule_sets_number" ON "rule_sets" USING btree ("project_id","number");--> statement-breakpoint
CREATE INDEX "standings_worker" ON "standings" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "standings_project" ON "standings" USING btree ("project_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "text_translations_number" ON "text_translations" USING btree ("project_id","locale","key","number");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_picks_label" ON "audit_picks" USING btree ("audit_id","label_id");--> statement-breakpoint
CREATE INDEX "audit_picks_of_label" ON "audit_picks" USING btree ("label_id");--> statement-breakpoint
CREATE INDEX "audits_project" ON "audits" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "audits_stage" ON "audits" USING btree ("stage_id");--> statement-breakpoint
CREATE INDEX "consensus_runs_project" ON "consensus_runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "consensus_runs_stage" ON "consensus_runs" USING btree ("stage_id");--> statement-breakpoint
CREATE INDEX "guide_pictures_blob" ON "guide_pictures" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "label_risks_queue" ON "label_risks" USING btree ("project_id","risk" DESC NULLS LAST,"label_id") WHERE reviewed_at is null;--> statement-breakpoint
CREATE INDEX "label_risks_disagreement" ON "label_risks" USING btree ("project_id","disagreement" desc nulls last,"label_id") WHERE reviewed_at is null;--> statement-breakpoint
CREATE INDEX "label_risks_stage" ON "label_risks" USING btree ("stage_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name" ON "saved_filters" USING btree ("project_id","owner_id","name");--> statement-breakpoint
CREATE INDEX "saved_filters_owner" ON "saved_filters" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "exports_version" ON "exports" USING btree ("version_id","id");--> statement-breakpoint
CREATE INDEX "exports_blob" ON "exports" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "version_images_image" ON "version_images" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "version_images_blob" ON "version_images" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "version_notes_version" ON "version_notes" USING btree ("version_id","id");--> statement-breakpoint
CREATE INDEX "version_notes_successor" ON "version_notes" USING btree ("superseded_by");--> statement-breakpoint
CREATE UNIQUE INDEX "version_tags_tag" ON "version_tags" USING btree ("project_id","tag");--> statement-breakpoint
CREATE INDEX "version_tags_version" ON "version_tags" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_number" ON "versions" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_hash" ON "versions" USING btree ("project_id","hash");--> statement-breakpoint
CREATE INDEX "versions_manifest" ON "versions" USING btree ("manifest");--> statement-breakpoint
CREATE INDEX "evaluation_images_image" ON "evaluation_images" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "evaluation_transfers_to" ON "evaluation_transfers" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX "evaluation_transfers_image" ON "evaluation_transfers" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "evaluation_transfers_blob" ON "evaluation_transfers" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "evaluations_project" ON "evaluations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "evaluations_version" ON "evaluations" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "evaluations_model" ON "evaluations" USING btree ("model_id");--> statement-breakpoint
CREATE INDEX "oracle_chains_image" ON "oracle_chains" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "oracle_chains_blob" ON "oracle_chains" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "oracle_questions_item" ON "oracle_questions" USING btree ("item_id");--> statement-breakpoint
CREATE INDEX "slice_images_image" ON "slice_images" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "slices_name" ON "slices" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "slices_evaluation" ON "slices" USING btree ("evaluation_id");--> statement-breakpoint
CREATE INDEX "slices_created_by" ON "slices" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "blobs_touched" ON "blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "derivatives_blob" ON "derivatives" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "images_source" ON "images" USING btree ("project_id","source_sha256");--> statement-breakpoint
CREATE INDEX "images_page" ON "images" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "images_class" ON "images" USING btree ("project_id","class_name","id");--> statement-breakpoint
CREATE INDEX "images_name" ON "images" USING btree ("project_id","name","id");--> statement-breakpoint
CREATE INDEX "images_blob" ON "images" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "images_lookalike" ON "images" USING btree ("project_id","lookalike_of","id") WHERE lookalike_of is not null;--> statement-breakpoint
CREATE INDEX "upload_files_upload" ON "upload_files" USING btree ("upload_id","state","id");--> statement-breakpoint
CREATE INDEX "upload_files_name" ON "upload_files" USING btree ("upload_id","name");--> statement-breakpoint
CREATE INDEX "upload_files_blob" ON "upload_files" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "upload_files_image" ON "upload_files" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "uploads_project" ON "uploads" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "messages_project" ON "messages" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "messages_lease" ON "messages" USING btree ("lease_id");--> statement-breakpoint
CREATE INDEX "model_files_blob" ON "model_files" USING btree ("blob");--> statement-breakpoint
CREATE UNIQUE INDEX "models_name" ON "models" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "models_run" ON "models" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "models_blob" ON "models" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "predictions_image" ON "predictions" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "suggestions_model" ON "suggestions" USING btree ("model_id");--> statement-breakpoint
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
CREATE INDEX "decisions_stage" ON "decisions" USING btree ("stage_id","subject_id") WHERE stage_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "exams_attempt" ON "exams" USING btree ("stage_id","worker_id","attempt");--> statement-breakpoint
CREATE INDEX "exams_worker" ON "exams" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "exams_project" ON "exams" USING btree ("project_id","stage_id");--> statement-breakpoint
CREATE INDEX "gold_project" ON "gold" USING btree ("project_id","state");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_paid_once" ON "ledger" USING btree ("kind","source_id");--> statement-breakpoint
CREATE INDEX "ledger_worker" ON "ledger" USING btree ("worker_id","id");--> statement-breakpoint
CREATE INDEX "ledger_project" ON "ledger" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "pay_reviews_project" ON "pay_reviews" USING btree ("project_id","state");--> statement-breakpoint
CREATE INDEX "pay_reviews_worker" ON "pay_reviews" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "payees_worker" ON "payees" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "run_events_kind" ON "run_events" USING btree ("run_id","kind","seq");--> statement-breakpoint
CREATE INDEX "run_files_blob" ON "run_files" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "runs_project" ON "runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "runs_version" ON "runs" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "runs_checkpoint" ON "runs" USING btree ("checkpoint");--> statement-breakpoint
CREATE INDEX "runs_study" ON "runs" USING btree ("project_id","study") WHERE study is not null;--> statement-breakpoint
CREATE INDEX "runs_to_take" ON "runs" USING btree ("created_at") WHERE launcher = 'remote' and state in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "trainers_name" ON "trainers" USING btree ("name");--> statement-breakpoint
CREATE INDEX "trainers_key" ON "trainers" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_project" ON "invitations" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "removed_workers_user" ON "removed_workers" USING btree ("user_id");--> statement-breakpoint
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
CREATE INDEX "items_to_hand_out" ON "items" USING btree ("stage_id","priority" DESC NULLS LAST,"shuffle","image_id","id") WHERE state = 'open' and leased + answered < overlap;--> statement-breakpoint
CREATE UNIQUE INDEX "labels_current" ON "labels" USING btree ("item_id") WHERE is_current;--> statement-breakpoint
CREATE INDEX "labels_image" ON "labels" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "labels_project" ON "labels" USING btree ("project_id","target") WHERE is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "leases_never_twice" ON "leases" USING btree ("item_id","worker_id");--> statement-breakpoint
CREATE UNIQUE INDEX "leases_position" ON "leases" USING btree ("batch_id","position");--> statement-breakpoint
CREATE INDEX "leases_worker" ON "leases" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "leases_late" ON "leases" USING btree ("worker_id") WHERE state = 'late';--> statement-breakpoint
CREATE INDEX "reservations_item" ON "reservations" USING btree ("item_id");
--> statement-breakpoint
-- Rows of these tables are evidence: once written they are neither changed nor deleted.
-- Erasing a whole project (a person asked for it, or the demo is reset) is the one exception, and must say so:
-- SET LOCAL tessera.erase = 'on'.
CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- A foreign key that is set to null because a person was deleted leaves the evidence itself untouched.
CREATE FUNCTION forbid_change_but_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
     AND to_jsonb(OLD) - TG_ARGV[0] = to_jsonb(NEW) - TG_ARGV[0]
     AND to_jsonb(NEW) -> TG_ARGV[0] = 'null'::jsonb THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- Only the columns named by the trigger may change; the row itself may not go.
CREATE FUNCTION forbid_change_except() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - TG_ARGV = to_jsonb(NEW) - TG_ARGV THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER answers_append_only BEFORE UPDATE OR DELETE ON answers
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER decisions_append_only BEFORE UPDATE OR DELETE ON decisions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('decided_by');
--> statement-breakpoint
CREATE TRIGGER schema_versions_append_only BEFORE UPDATE OR DELETE ON schema_versions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER labels_append_only BEFORE UPDATE OR DELETE ON labels
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('is_current');
--> statement-breakpoint
CREATE TRIGGER versions_append_only BEFORE UPDATE OR DELETE ON versions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('description', 'created_by');
--> statement-breakpoint
CREATE TRIGGER consents_append_only BEFORE UPDATE OR DELETE ON consents
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER consent_texts_append_only BEFORE UPDATE OR DELETE ON consent_texts
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER guides_append_only BEFORE UPDATE OR DELETE ON guides
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER rule_sets_append_only BEFORE UPDATE OR DELETE ON rule_sets
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER payout_lines_append_only BEFORE UPDATE OR DELETE ON payout_lines
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER appeals_append_only BEFORE UPDATE OR DELETE ON appeals
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('outcome', 'reply', 'answered_by', 'answered_at');
--> statement-breakpoint
CREATE TRIGGER version_images_append_only BEFORE UPDATE OR DELETE ON version_images
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER version_notes_append_only BEFORE UPDATE OR DELETE ON version_notes
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER text_translations_append_only BEFORE UPDATE OR DELETE ON text_translations
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
