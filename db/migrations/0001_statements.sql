ALTER TABLE "versions" ADD COLUMN "statements" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
DROP TRIGGER versions_append_only ON versions;
--> statement-breakpoint
CREATE TRIGGER versions_append_only BEFORE UPDATE OR DELETE ON versions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('description', 'statements', 'created_by');
