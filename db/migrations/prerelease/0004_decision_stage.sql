ALTER TABLE "decisions" ADD COLUMN "stage_id" uuid;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_stage_id_stages_id_fk" FOREIGN KEY ("stage_id") REFERENCES "public"."stages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "arrivals_project" ON "arrivals" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "consents_project" ON "consents" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "guides_project" ON "guides" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "decisions_stage" ON "decisions" USING btree ("stage_id","subject_id") WHERE stage_id is not null;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_worker_stage" CHECK ("decisions"."subject" <> 'worker' or "decisions"."stage_id" is not null);