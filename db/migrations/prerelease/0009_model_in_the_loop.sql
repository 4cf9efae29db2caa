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
ALTER TABLE "trainers" DROP CONSTRAINT "trainers_kind";--> statement-breakpoint
ALTER TABLE "label_risks" ADD COLUMN "disagreement" real;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "launcher" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "leased_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "trainers" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "predictions" ADD CONSTRAINT "predictions_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_lease_id_leases_id_fk" FOREIGN KEY ("lease_id") REFERENCES "public"."leases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "predictions_image" ON "predictions" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "suggestions_model" ON "suggestions" USING btree ("model_id");--> statement-breakpoint
ALTER TABLE "trainers" ADD CONSTRAINT "trainers_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_to_take" ON "runs" USING btree ("created_at") WHERE launcher = 'remote' and state in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "trainers_key" ON "trainers" USING btree ("key_id");--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_launcher" CHECK ("runs"."launcher" in ('local', 'slurm', 'remote'));--> statement-breakpoint
ALTER TABLE "trainers" ADD CONSTRAINT "trainers_kind" CHECK ("trainers"."kind" in ('local', 'slurm', 'remote'));