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
ALTER TABLE "models" ADD COLUMN "kind" text DEFAULT 'classifier' NOT NULL;--> statement-breakpoint
ALTER TABLE "slice_images" ADD CONSTRAINT "slice_images_slice_id_slices_id_fk" FOREIGN KEY ("slice_id") REFERENCES "public"."slices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slice_images" ADD CONSTRAINT "slice_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_evaluation_id_evaluations_id_fk" FOREIGN KEY ("evaluation_id") REFERENCES "public"."evaluations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slices" ADD CONSTRAINT "slices_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "slice_images_image" ON "slice_images" USING btree ("image_id");--> statement-breakpoint
CREATE UNIQUE INDEX "slices_name" ON "slices" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "slices_evaluation" ON "slices" USING btree ("evaluation_id");--> statement-breakpoint
CREATE INDEX "slices_created_by" ON "slices" USING btree ("created_by");--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_kind" CHECK ("models"."kind" in ('classifier', 'decoder', 'oracle'));