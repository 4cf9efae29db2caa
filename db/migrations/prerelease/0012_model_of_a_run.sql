DROP INDEX "models_run";--> statement-breakpoint
CREATE UNIQUE INDEX "models_run" ON "models" USING btree ("run_id");