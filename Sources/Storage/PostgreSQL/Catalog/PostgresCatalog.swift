/// Statements that read PostgreSQL's catalog at the start of a session.
enum PostgresCatalog {
    /// Limits all names to the schema of the store and to PostgreSQL's own.
    ///
    /// The owner of the database can set another search path, with operators or tables of the same
    /// names. So each name here has its schema. `pg_catalog` is not in the path: it is then searched
    /// first, and tables are created in the first schema of the path.
    static let fixSearchPath = """
        SELECT pg_catalog.set_config('search_path', coalesce(pg_catalog.textcat(
            pg_catalog.quote_ident(coalesce(
                (SELECT store_schema.nspname
                    FROM pg_catalog.pg_class AS store
                    JOIN pg_catalog.pg_namespace AS store_schema
                        ON store_schema.oid OPERATOR(pg_catalog.=) store.relnamespace
                    WHERE store.oid
                        OPERATOR(pg_catalog.=) pg_catalog.to_regclass('countersign_store')),
                pg_catalog.current_schema())),
            ', pg_temp'), ''), false)
        """

    /// The version of the store, without a table, and the facts about `tables`.
    ///
    /// It is one statement, so a migration at the same time does not separate them. A table is
    /// `altered` if it is not an ordinary one, or if code of its owner runs with our statements:
    ///
    /// * in a rule, a trigger or a policy
    /// * in a check or a default that calls a function, or differs for each user or time
    /// * in a type, an operator or a collation that does not belong to PostgreSQL
    /// * in a table that references it, or a reference that changes or deletes its rows
    ///
    /// A unique index that is not valid is ignored, because `REINDEX CONCURRENTLY` makes one.
    ///
    /// All functions have their schema, and all operators have operands of exactly their types. A
    /// function or an operator in the schema of the store could match other types better.
    static func facts(about tables: Set<String>) -> String {
        """
        WITH tables AS (
            SELECT * FROM pg_class
            WHERE relnamespace =
                    (SELECT oid FROM pg_namespace WHERE nspname = pg_catalog.current_schema())
                AND relname IN (\(tables.sorted().map { "'\($0)'" }.joined(separator: ", ")))
        ), indexes AS (
            SELECT * FROM pg_index WHERE indrelid IN (SELECT oid FROM tables)
        ), constraints AS (
            SELECT * FROM pg_constraint
            WHERE conrelid IN (SELECT oid FROM tables) OR confrelid IN (SELECT oid FROM tables)
        ), defaults AS (
            SELECT * FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM tables)
        ), parts AS (
            SELECT oid AS owner, 'pg_class'::regclass::oid AS catalog, oid AS part FROM tables
            UNION ALL SELECT indrelid, 'pg_class'::regclass::oid, indexrelid FROM indexes
            UNION ALL SELECT conrelid, 'pg_constraint'::regclass::oid, oid FROM constraints
            UNION ALL SELECT adrelid, 'pg_attrdef'::regclass::oid, oid FROM defaults
        ), altered AS (
            SELECT oid AS owner FROM tables
            WHERE relkind <> 'r' OR relpersistence <> 'p' OR relrowsecurity OR relforcerowsecurity
            UNION ALL SELECT ev_class FROM pg_rewrite
            UNION ALL SELECT tgrelid FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT inhrelid FROM pg_inherits
            UNION ALL SELECT inhparent FROM pg_inherits
            UNION ALL SELECT conrelid FROM constraints
                WHERE contype = 'c'
                    AND pg_catalog.pg_get_expr(conbin, conrelid) ~ '\(variablePattern)'
            UNION ALL SELECT conrelid FROM constraints
                WHERE contype = 'x'
                    OR contype = 'f' AND (confdeltype <> 'a' OR confupdtype <> 'a')
            UNION ALL SELECT adrelid FROM defaults
                WHERE pg_catalog.pg_get_expr(adbin, adrelid) ~ '\(variablePattern)'
            UNION ALL SELECT confrelid FROM constraints
                WHERE contype = 'f' AND conrelid NOT IN (SELECT oid FROM tables)
            UNION ALL SELECT conrelid FROM constraints
                WHERE contype = 'f' AND confrelid NOT IN (SELECT oid FROM tables)
            UNION ALL SELECT parts.owner
                FROM parts JOIN pg_depend ON classid = catalog AND objid = part
                WHERE refclassid IN ('pg_proc'::regclass::oid, 'pg_operator'::regclass::oid,
                    'pg_opclass'::regclass::oid, 'pg_opfamily'::regclass::oid,
                    'pg_type'::regclass::oid, 'pg_collation'::regclass::oid)
        )
        SELECT '', version::text FROM countersign_store WHERE id = 1
        UNION ALL
        SELECT relname, pg_catalog.concat_ws(' ', 'COLUMN', attname,
            pg_catalog.format_type(atttypid, atttypmod),
            CASE WHEN attnotnull THEN 'not null' END,
            CASE WHEN attgenerated <> '' THEN 'generated' END,
            CASE WHEN attidentity <> '' THEN 'identity' END,
            CASE WHEN attcollation <> typcollation THEN 'collated' END)
        FROM tables
            JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
            JOIN pg_type ON pg_type.oid = atttypid
        UNION ALL
        SELECT relname, pg_catalog.concat_ws(' ',
            CASE WHEN indisprimary THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
            (SELECT pg_catalog.string_agg(attname, ',' ORDER BY attname) FROM pg_attribute
                WHERE attrelid = indrelid AND attnum = ANY (indkey)),
            CASE WHEN indexprs IS NOT NULL THEN 'expression' END,
            CASE WHEN NOT indimmediate THEN 'deferrable' END,
            pg_catalog.substring(pg_catalog.pg_get_indexdef(indexrelid),
                ' INCLUDE | NULLS NOT DISTINCT'),
            'WHERE ' || pg_catalog.translate(
                pg_catalog.pg_get_expr(indpred, indrelid), '()', ''))
        FROM tables JOIN indexes ON indrelid = tables.oid
        WHERE indisunique AND indisvalid
        UNION ALL
        SELECT relname, 'altered' FROM tables WHERE oid IN (SELECT owner FROM altered)
        """
    }

    /// A call of a function, or a keyword or a text whose value differs for each user or time.
    ///
    /// PostgreSQL writes these keywords in capitals, and quotes names that have some. A text such as
    /// `now` is converted to a time.
    private static let variablePattern =
        #"[[:alnum:]_"][(]|CURRENT_|LOCALTIME|USER|::(date|time|reg)"#
}
