-- Four roles for one database, and a fifth with -v help_desk=…; an administrator runs this in it once (psql -v owner=… -v owner_password=… and so on).
-- The owner (MIGRATION_DATABASE_URL; portal migrate connects as it) changes tables, and grants the others what they need.
-- The runtime role (DATABASE_URL) reads and writes rows and can do nothing else (S90).
-- The audit role (AUDIT_DATABASE_ROLE; portal seal-audit connects as it) reads the audit and adds seals to it (S95).
-- The backup role (portal backup connects as it) reads all tables and changes nothing. Whoever may read what the owner
-- will make, as it may (below), is let by portal migrate to note when a backup was made.
-- The help desk's role (HELP_DESK_DATABASE_ROLE; npm run help-desk connects as it) does what the pages for staff do, and
-- nothing else: it sets no password, and reads no document. It is made only where it has a name.
-- Without passwords the roles must be there already.
\if :{?owner_password}
CREATE ROLE :"owner" LOGIN PASSWORD :'owner_password';
CREATE ROLE :"runtime" LOGIN PASSWORD :'runtime_password';
CREATE ROLE :"audit" LOGIN PASSWORD :'audit_password';
CREATE ROLE :"backup" LOGIN PASSWORD :'backup_password';
\endif
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"runtime", :"audit", :"backup";
GRANT CONNECT, CREATE ON DATABASE :"database" TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO :"owner";
GRANT USAGE ON SCHEMA public TO :"runtime", :"audit", :"backup";
-- For the tables that the owner will make.
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT SELECT ON TABLES TO :"backup";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT SELECT ON SEQUENCES TO :"backup";
\if :{?help_desk_password}
CREATE ROLE :"help_desk" LOGIN PASSWORD :'help_desk_password';
\endif
\if :{?help_desk}
GRANT CONNECT ON DATABASE :"database" TO :"help_desk";
GRANT USAGE ON SCHEMA public TO :"help_desk";
\endif
