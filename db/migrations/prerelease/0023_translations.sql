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
ALTER TABLE "consents" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD COLUMN "translation_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "text_translations" ADD CONSTRAINT "text_translations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_translations" ADD CONSTRAINT "text_translations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "text_translations_number" ON "text_translations" USING btree ("project_id","locale","key","number");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_language" CHECK ("projects"."language" ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');--> statement-breakpoint
CREATE TRIGGER text_translations_append_only BEFORE UPDATE OR DELETE ON text_translations
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
