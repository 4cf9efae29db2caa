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
CREATE TABLE "removed_workers" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "removed_workers_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
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
CREATE TABLE "reservations" (
	"batch_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	CONSTRAINT "reservations_batch_id_item_id_pk" PRIMARY KEY("batch_id","item_id")
);
--> statement-breakpoint
ALTER TABLE "leases" DROP CONSTRAINT "leases_state";--> statement-breakpoint
DROP INDEX "items_to_hand_out";--> statement-breakpoint
ALTER TABLE "checks" ADD COLUMN "twin_image_id" uuid;--> statement-breakpoint
ALTER TABLE "gold" ADD COLUMN "pool" text DEFAULT 'check' NOT NULL;--> statement-breakpoint
ALTER TABLE "answers" ADD COLUMN "is_late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "answers" ADD COLUMN "interaction" jsonb;--> statement-breakpoint
ALTER TABLE "answers" ADD COLUMN "repeats_code" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "items" ADD COLUMN "shuffle" integer GENERATED ALWAYS AS (('x' || substr(md5(stage_id::text || image_id::text), 1, 8))::bit(32)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "is_extra" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_worker_id_users_id_fk" FOREIGN KEY ("worker_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_reviews" ADD CONSTRAINT "pay_reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_workers" ADD CONSTRAINT "removed_workers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_workers" ADD CONSTRAINT "removed_workers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answer_comparisons" ADD CONSTRAINT "answer_comparisons_answer_id_answers_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."answers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_item_id_items_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."items"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pay_reviews_project" ON "pay_reviews" USING btree ("project_id","state");--> statement-breakpoint
CREATE INDEX "pay_reviews_worker" ON "pay_reviews" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "removed_workers_user" ON "removed_workers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "reservations_item" ON "reservations" USING btree ("item_id");--> statement-breakpoint
ALTER TABLE "checks" ADD CONSTRAINT "checks_twin_image_id_images_id_fk" FOREIGN KEY ("twin_image_id") REFERENCES "public"."images"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "leases_late" ON "leases" USING btree ("worker_id") WHERE state = 'late';--> statement-breakpoint
CREATE INDEX "items_to_hand_out" ON "items" USING btree ("stage_id","priority" DESC NULLS LAST,"shuffle","image_id","id") WHERE state = 'open' and leased + answered < overlap;--> statement-breakpoint
ALTER TABLE "gold" ADD CONSTRAINT "gold_pool" CHECK ("gold"."pool" in ('check', 'exam', 'practice'));--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_state" CHECK ("leases"."state" in ('open', 'answered', 'released', 'late'));--> statement-breakpoint
UPDATE "leases" l SET "is_extra" = true WHERE EXISTS (SELECT 1 FROM "checks" c WHERE c.lease_id = l.id);
--> statement-breakpoint
-- Gold of earlier releases served checks, exams and practice alike. An image whose answer was revealed in practice
-- stays there; the others are divided at random, whole images together.
UPDATE "gold" g SET "pool" = CASE
	WHEN EXISTS (
		SELECT 1 FROM "items" o JOIN "gold" og ON og.item_id = o.id JOIN "checks" c ON c.gold_id = og.id
		JOIN "leases" l ON l.id = c.lease_id JOIN "batches" b ON b.id = l.batch_id AND b.kind = 'practice'
		WHERE o.stage_id = i.stage_id AND o.image_id = i.image_id) THEN 'practice'
	WHEN abs(i.shuffle::bigint) % 100 < 10 THEN 'practice'
	WHEN abs(i.shuffle::bigint) % 100 < 50 THEN 'exam'
	ELSE 'check' END
FROM "items" i WHERE i.id = g.item_id;
