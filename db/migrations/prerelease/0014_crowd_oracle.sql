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
ALTER TABLE "evaluations" DROP CONSTRAINT "evaluations_state";--> statement-breakpoint
ALTER TABLE "images" DROP CONSTRAINT "images_state";--> statement-breakpoint
ALTER TABLE "stages" ADD COLUMN "asks" text DEFAULT 'images' NOT NULL;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_chains" ADD CONSTRAINT "oracle_chains_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_questions" ADD CONSTRAINT "oracle_questions_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oracle_questions" ADD CONSTRAINT "oracle_questions_chain" FOREIGN KEY ("evaluation_id","image_id") REFERENCES "public"."oracle_chains"("evaluation_id","image_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oracle_chains_image" ON "oracle_chains" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "oracle_chains_blob" ON "oracle_chains" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "oracle_questions_item" ON "oracle_questions" USING btree ("item_id");--> statement-breakpoint
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_state" CHECK ("evaluations"."state" in ('queued', 'running', 'done', 'failed', 'cancelled', 'waiting'));--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_state" CHECK ("images"."state" in ('active', 'excluded', 'broken', 'derived'));--> statement-breakpoint
ALTER TABLE "stages" ADD CONSTRAINT "stages_asks" CHECK ("stages"."asks" = 'images' or ("stages"."asks" = 'evaluations' and "stages"."kind" = 'oracle'));