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
ALTER TABLE "answers" ADD COLUMN "interaction" jsonb;--> statement-breakpoint
ALTER TABLE "answers" ADD COLUMN "repeats_code" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "answer_comparisons" ADD CONSTRAINT "answer_comparisons_answer_id_answers_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."answers"("id") ON DELETE cascade ON UPDATE no action;