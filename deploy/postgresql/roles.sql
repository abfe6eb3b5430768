-- Two roles for one database; an administrator runs this in it once (psql -v owner=… -v owner_password=… and so on).
-- The owner (MIGRATION_DATABASE_URL) changes tables when a new version starts, and grants the other role what it needs.
-- The runtime role (DATABASE_URL) reads and writes rows and can do nothing else (S90).
CREATE ROLE :"owner" LOGIN PASSWORD :'owner_password';
CREATE ROLE :"runtime" LOGIN PASSWORD :'runtime_password';
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"runtime";
GRANT CONNECT, CREATE ON DATABASE :"database" TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO :"owner";
GRANT USAGE ON SCHEMA public TO :"runtime";
