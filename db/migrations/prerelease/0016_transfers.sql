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
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_from_id_evaluations_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_to_id_evaluations_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."evaluations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "public"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evaluation_transfers" ADD CONSTRAINT "evaluation_transfers_blob_blobs_sha256_fk" FOREIGN KEY ("blob") REFERENCES "public"."blobs"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evaluation_transfers_to" ON "evaluation_transfers" USING btree ("to_id");--> statement-breakpoint
CREATE INDEX "evaluation_transfers_image" ON "evaluation_transfers" USING btree ("image_id");--> statement-breakpoint
CREATE INDEX "evaluation_transfers_blob" ON "evaluation_transfers" USING btree ("blob");