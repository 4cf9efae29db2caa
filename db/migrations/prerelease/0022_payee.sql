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
ALTER TABLE "payees" ADD CONSTRAINT "payees_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payees_worker" ON "payees" USING btree ("worker_id");