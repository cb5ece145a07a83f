-- Makes the sample files from the CSV files they come from; run by io.spillway.testing.MakeSamples,
-- from the project's top folder, with DuckDB's file_search_path at the folder of the CSV files.
-- Rows keep the order of the source.
SET preserve_insertion_order = true;

COPY (
    SELECT iata, name, city, state, country, latitude, longitude
    FROM read_csv('airports.csv', header = true, columns = {
        'iata': 'VARCHAR', 'name': 'VARCHAR', 'city': 'VARCHAR', 'state': 'VARCHAR',
        'country': 'VARCHAR', 'latitude': 'DOUBLE', 'longitude': 'DOUBLE'})
) TO 'samples/airports.parquet' (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT
        "Airport Name" AS airport,
        "Aircraft Make Model" AS aircraft,
        "Aircraft Airline Operator" AS operator,
        "Flight Date" AS flight_date,
        "Origin State" AS state,
        "Phase of flight" AS flight_phase,
        "Time of day" AS time_of_day,
        "Wildlife Size" AS wildlife_size,
        "Wildlife Species" AS species,
        "Effect Amount of damage" AS damage,
        "Speed IAS in knots" AS speed_knots,
        "Cost Repair" AS cost_repair,
        "Cost Other" AS cost_other,
        "Cost Total $" AS cost_total
    FROM read_csv('birdstrikes.csv', header = true, types = {
        'Flight Date': 'DATE', 'Speed IAS in knots': 'INTEGER', 'Cost Repair': 'DECIMAL(12,2)',
        'Cost Other': 'DECIMAL(12,2)', 'Cost Total $': 'DECIMAL(12,2)'})
) TO 'samples/birdstrikes.parquet' (FORMAT parquet, COMPRESSION zstd);

COPY (
    SELECT zip_code, city, county, state, latitude, longitude
    FROM read_csv('zipcodes.csv', header = true, columns = {
        'zip_code': 'VARCHAR', 'latitude': 'DECIMAL(9,6)', 'longitude': 'DECIMAL(9,6)',
        'city': 'VARCHAR', 'state': 'VARCHAR', 'county': 'VARCHAR'})
) TO 'samples/zipcodes.parquet' (FORMAT parquet, COMPRESSION zstd);
