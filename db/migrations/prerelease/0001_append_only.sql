-- Rows of these tables are evidence: once written they are neither changed nor deleted.
-- Erasing a whole project (a person asked for it, or the demo is reset) is the one exception, and must say so:
-- SET LOCAL tessera.erase = 'on'.
CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- A foreign key that is set to null because a person was deleted leaves the evidence itself untouched.
CREATE FUNCTION forbid_change_but_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
     AND to_jsonb(OLD) - TG_ARGV[0] = to_jsonb(NEW) - TG_ARGV[0]
     AND to_jsonb(NEW) -> TG_ARGV[0] = 'null'::jsonb THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- Only the columns named by the trigger may change; the row itself may not go.
CREATE FUNCTION forbid_change_except() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - TG_ARGV = to_jsonb(NEW) - TG_ARGV THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND current_setting('tessera.erase', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'rows of % are append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER answers_append_only BEFORE UPDATE OR DELETE ON answers
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION forbid_change();
--> statement-breakpoint
CREATE TRIGGER decisions_append_only BEFORE UPDATE OR DELETE ON decisions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('decided_by');
--> statement-breakpoint
CREATE TRIGGER schema_versions_append_only BEFORE UPDATE OR DELETE ON schema_versions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_but_author('created_by');
--> statement-breakpoint
CREATE TRIGGER labels_append_only BEFORE UPDATE OR DELETE ON labels
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('is_current');
--> statement-breakpoint
CREATE TRIGGER versions_append_only BEFORE UPDATE OR DELETE ON versions
  FOR EACH ROW EXECUTE FUNCTION forbid_change_except('description', 'created_by');
