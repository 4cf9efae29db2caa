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
ALTER TABLE "evaluation_images" ADD CONSTRAINT "evaluation_images_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_images" ADD CONSTRAINT "evaluation_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_rows" ADD CONSTRAINT "evaluation_rows_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluation_images_image" ON "evaluation_images" USING btree ("image_id");