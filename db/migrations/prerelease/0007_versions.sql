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
ALTER TABLE "exports" DROP CONSTRAINT "exports_state";--> statement-breakpoint
ALTER TABLE "exports" DROP CONSTRAINT "exports_done";--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "files" integer;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "losses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "licence" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "image_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "label_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_images" ADD CONSTRAINT "version_images_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_superseded_by_versions_id_fk" FOREIGN KEY ("superseded_by") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_notes" ADD CONSTRAINT "version_notes_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_statistics" ADD CONSTRAINT "version_statistics_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_tags" ADD CONSTRAINT "version_tags_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_tags" ADD CONSTRAINT "version_tags_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "version_images_image" ON "version_images" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "version_images_blob" ON "version_images" USING btree ("blob");--> statement-breakpoint
CREATE INDEX "version_notes_version" ON "version_notes" USING btree ("version_id","id");--> statement-breakpoint
CREATE INDEX "version_notes_successor" ON "version_notes" USING btree ("superseded_by");--> statement-breakpoint
CREATE UNIQUE INDEX "version_tags_tag" ON "version_tags" USING btree ("project_id","tag");--> statement-breakpoint
CREATE INDEX "version_tags_version" ON "version_tags" USING btree ("version_id");--> statement-breakpoint
ALTER TABLE "exports" DROP COLUMN "state";--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_whole" CHECK (("exports"."blob" is null) = ("exports"."bytes" is null));--> statement-breakpoint
CREATE TRIGGER version_images_append_only BEFORE UPDATE OR DELETE ON version_images
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER version_notes_append_only BEFORE UPDATE OR DELETE ON version_notes
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
